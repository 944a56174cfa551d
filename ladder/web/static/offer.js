// Choices of games and seats keep the place on the page.
(() => {
  const table = document.querySelector("#table");
  if (table && location.search.includes("seats=")) table.scrollIntoView({ block: "start" });
})();
