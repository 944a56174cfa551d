// Opens the page of an act as a dialog over the status. Without script the link leads to the same form as a page.
(() => {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !window.HTMLDialogElement) return;
    event.preventDefault();
    let form = null;
    let heading = null;
    let effect = null;
    try {
      const answer = await fetch(link.href, { credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      form = page.querySelector("form[data-act]");
      heading = page.querySelector("h1");
      effect = page.querySelector(".lede");
    } catch { /* the page itself says what is wrong */ }
    if (!form) { location.href = link.href; return; }
    const dialog = document.createElement("dialog");
    const title = document.createElement("h2");
    title.id = "act-title";
    title.textContent = heading.textContent;
    const told = document.createElement("p");
    told.textContent = effect.textContent;
    dialog.setAttribute("aria-labelledby", title.id);
    form.classList.remove("card", "dialog");
    dialog.append(title, told, document.adoptNode(form));
    dialog.addEventListener("click", (inside) => {
      if (!inside.target.closest("[data-close]")) return;
      inside.preventDefault();
      dialog.close();
    });
    dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
    document.body.append(dialog);
    dialog.showModal();
  });
})();
