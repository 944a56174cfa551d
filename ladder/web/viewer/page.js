// Puts a player into every place of a page that asks for one: an element with data-viewer, the id of a match.
import { Player } from "./player.js";

function start() {
  for (const host of document.querySelectorAll("[data-viewer]")) {
    const { viewer: match, game, words, file, embed } = host.dataset;
    const replay = (window.kumiteReplays || {})[match];
    const scene = (window.kumiteScenes || {})[game];
    if (!replay || !scene) continue;
    host.player = new Player(host, replay, scene, {
      words: words || window.kumiteWords ? () => loaded(match, words) : null,
      links: { file, embed },
    });
    for (const other of document.querySelectorAll("[data-without-viewer]")) other.remove();
  }
}

/** The board in words of a match: a script brings it, which loads from a disk too. */
function loaded(match, address) {
  const there = () => (window.kumiteWords || {})[match];
  if (there()) return Promise.resolve(there());
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => (there() ? resolve(there()) : reject(new Error("the file has another match")));
    script.onerror = () => reject(new Error("the file cannot be read"));
    document.head.append(script);
  });
}

document.addEventListener("DOMContentLoaded", start);
