// Trades the secret behind the # for a seat. The secret leaves the address bar before anything else happens.
(() => {
  // `kumite play` writes the name behind the secret of its own link: then the seat is taken without a question.
  const [secret, name] = location.hash.slice(1).split("~");
  history.replaceState(null, "", location.pathname);
  const form = document.querySelector("[data-join]");
  const wrong = document.querySelector("[data-wrong]");
  const say = (text) => {
    wrong.hidden = !text;
    wrong.firstElementChild.textContent = text;
  };
  if (!secret) {
    say("That link is not whole; copy all of it, with what stands behind the #.");
    form.querySelector("button").disabled = true;
    return;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const answer = await fetch(`/play/${encodeURIComponent(secret.split(".")[0])}/join`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ invitation: secret, name: form.elements.name.value }),
      });
      const told = await answer.json();
      if (answer.ok) {
        location.assign(told.address);
        return;
      }
      say(told.message);
    } catch {
      say("The pages do not answer; try again.");
    }
    button.disabled = false;
  });
  if (name) {
    form.elements.name.value = decodeURIComponent(name);
    form.requestSubmit();
  }
})();
