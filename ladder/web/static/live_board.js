// The board of a table that runs, from the positions that live.js receives. A classic script.
(() => {
  const root = document.querySelector("[data-live]");
  const { Seats, Log, words, still, position } = window.KumiteTables;
  const { Board } = window.kumiteModules["board.js"];
  const find = (name) => root.querySelector(`[data-${name}]`);
  const board = new Board(find("board"), window.kumiteScenes[root.dataset.game]);
  const seats = new Seats(find("seats"));
  const log = new Log(find("log"));
  const MOTION = 1.5;
  let drawn = -1;
  let before = null;

  addEventListener("kumite-live", ({ detail: state }) => {
    if (state.names) {
      seats.show(state);
      log.show(state.log, state.names);
    }
    if (state.sight && state.number !== drawn) {
      const next = position(state);
      board.show(next, { before, motion: still() || drawn < 0 ? 0 : MOTION });
      drawn = state.number;
      before = next;
      words(find("text"), state.sight.text);
    }
    // The page of a match that is over has the replay, with everything in it.
    const seen = `kumite-over-${root.dataset.live}`;
    if (state.over && !sessionStorage.getItem(seen)) {
      sessionStorage.setItem(seen, "yes");
      setTimeout(() => location.reload(), 2500);
    }
  });
})();
