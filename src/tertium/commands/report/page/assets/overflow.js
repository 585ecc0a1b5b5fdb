// A sign above a table or chart that is wider than its place; a click scrolls on.
function setUpOverflow() {
  for (const place of document.querySelectorAll("main .scroll")) watchOverflow(place);
}

function watchOverflow(place) {
  const sign = make("button", { type: "button", class: "more" }, "more columns →");
  if (place.matches(".chart")) sign.textContent = "more →";
  const show = () => { sign.hidden = place.scrollWidth - place.clientWidth - place.scrollLeft < 8; };
  sign.addEventListener("click", () => place.scrollBy({ left: 0.8 * place.clientWidth }));
  place.before(sign);
  place.addEventListener("scroll", show, { passive: true });
  const observer = new ResizeObserver(show);
  observer.observe(place);
  for (const child of place.children) observer.observe(child);
  new MutationObserver(show).observe(place, { childList: true, subtree: true });
  show();
}
