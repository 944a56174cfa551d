// Sorting, filters and pages of a list in place: the page is fetched, its section with the same heading is put in the
// place of the old one, and the address, the place on the page and the focus stay right. Without script, or from a disk,
// the same links and forms load the page anew.
(() => {
  const IN_PLACE = "a.sort, .pager a, .filters";
  const sectionOf = (element) => element.closest("section[aria-labelledby]");
  // What the focus is on, as a way to find the same thing in the new section.
  const focusOf = (section) => {
    const now = document.activeElement;
    if (!section.contains(now)) return null;
    if (now.name) return { find: `[name="${now.name}"]`, at: now.selectionEnd };
    const peers = [...section.querySelectorAll("a.sort, .pager a, button")];
    return { text: now.textContent, index: peers.indexOf(now) };
  };
  const focusAgain = (section, kept) => {
    if (!kept) return;
    const peers = [...section.querySelectorAll("a.sort, .pager a, button")];
    const found = kept.find ? section.querySelector(kept.find) : peers.find((peer) => peer.textContent === kept.text) ?? peers[kept.index];
    (found ?? section.querySelector(".scroll"))?.focus({ preventScroll: true });
    if (kept.at != null && found?.setSelectionRange) found.setSelectionRange(kept.at, kept.at);
  };
  let newest = 0;
  const show = async (address, label, keep) => {
    const turn = ++newest;
    const answer = await fetch(address);
    const text = await answer.text();
    if (turn !== newest) return;
    const made = new DOMParser().parseFromString(text, "text/html");
    const fresh = made.querySelector(`section[aria-labelledby="${CSS.escape(label)}"]`);
    const old = document.querySelector(`section[aria-labelledby="${CSS.escape(label)}"]`);
    if (!fresh || !old) { location.assign(address); return; }
    if (keep) history.pushState({ section: label }, "", address);
    const kept = focusOf(old);
    const [left, top, across] = [scrollX, scrollY, old.querySelector(".scroll")?.scrollLeft ?? 0];
    old.replaceWith(fresh);
    if (fresh.querySelector(".scroll")) fresh.querySelector(".scroll").scrollLeft = across;
    scrollTo(left, top);
    focusAgain(fresh, kept);
  };
  const begin = (address, part, event) => {
    const section = sectionOf(part);
    if (!section || location.protocol === "file:") return;
    event.preventDefault();
    const label = section.getAttribute("aria-labelledby");
    if (history.state?.section !== label) history.replaceState({ section: label }, "");
    show(address, label, true).catch(() => { location.assign(address); });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.sort, .pager a");
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) begin(link.href, link, event);
  });
  const submitted = (form, event) => {
    const asked = [...new FormData(form)].filter(([, value]) => value !== "");
    const address = new URL(form.action);
    address.search = new URLSearchParams(asked).toString();
    begin(address.href, form, event);
  };
  document.addEventListener("submit", (event) => { if (event.target.matches(IN_PLACE)) submitted(event.target, event); });
  document.addEventListener("change", (event) => {
    const form = event.target.closest(".filters");
    if (form && event.target.matches('[type="checkbox"], select')) submitted(form, event);
  });
  addEventListener("popstate", (event) => {
    const label = event.state?.section;
    if (label) show(location.href, label, false).catch(() => { location.reload(); });
  });
  // On a narrow screen the navigation scrolls: the present entry is brought into view.
  const present = document.querySelector(".nav [aria-current]");
  const list = present?.closest("ul");
  if (list && list.scrollWidth > list.clientWidth) {
    list.scrollLeft = present.offsetLeft - (list.clientWidth - present.offsetWidth) / 2;
  }
})();
