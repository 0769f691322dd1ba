// What is wrong with an open page as it stands in its window: a list of sentences.
async () => {
  // What the page does about a new size is done with the next frame; but the theme moves its sidebars in by and by, and
  // in the middle of a frame a box may be narrower already than the page knows.
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const MOVES = /^(margin|padding|width|height|left|right|top|bottom)/;
  const moves = (one) => MOVES.test(one.transitionProperty) && one.playState === "running";
  const width = () => document.querySelector(".bd-article-container").getBoundingClientRect().width;
  for (let before = null; before !== width() || document.getAnimations().some(moves); ) {
    before = width();
    await drawn();
  }
  const faults = [];
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });

  // An option in running text must not be torn: at the end of a line "-" and "--" look alike.
  const OPTION = /(?<![^\s([{"'=,|/])--?[A-Za-z][\w-]*/g;
  const content = document.querySelector(".bd-main");
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.data.includes("-") || !shown(text.parentElement) || text.parentElement.closest("pre, svg, script")) continue;
    for (const option of text.data.matchAll(OPTION)) {
      const place = document.createRange();
      place.setStart(text, option.index);
      place.setEnd(text, option.index + option[0].length);
      const boxes = [...place.getClientRects()].filter((box) => box.width > 0);
      if (boxes.some((box) => box.top >= boxes[0].bottom)) faults.push(`torn: ${option[0]}`);
    }
  }

  // What does not fit must scroll, and fade at its edge; what is cut off for good must not be.
  for (const box of content.querySelectorAll("article pre, article div, article table, article p, article code")) {
    if (box.scrollWidth <= box.clientWidth + 1 || box.clientWidth === 0 || !shown(box)) continue;
    const style = getComputedStyle(box);
    if (style.overflowX === "visible" || box.closest(".sr-only, .visually-hidden, .copybtn")) continue;
    const scrolls = ["auto", "scroll"].includes(style.overflowX);
    const name = `${box.tagName.toLowerCase()}.${box.className} ${JSON.stringify(box.textContent.trim().slice(0, 40))}`;
    if (!scrolls) faults.push(`cut off: ${name}`);
    else if (style.maskImage === "none") faults.push(`cut without a sign: ${name}`);
    if (scrolls && box.tabIndex < 0) faults.push(`not to be scrolled by keyboard: ${name}`);
  }

  // The item of the current page must be in the visible part of the sidebar.
  const sidebar = document.querySelector("#pst-primary-sidebar-modal[open], #pst-primary-sidebar");
  const here = [...sidebar.querySelectorAll(".bd-sidenav a.current")].pop();
  if (here && (sidebar.open || matchMedia("(min-width: 992px)").matches)) {
    const box = here.getBoundingClientRect();
    const seen = sidebar.getBoundingClientRect();
    if (box.top < Math.max(seen.top, 0) || box.bottom > Math.min(seen.bottom, window.innerHeight)) {
      faults.push(`out of the sidebar's sight: ${here.textContent.trim()}`);
    }
  }
  return faults;
}
