// What the pages do beyond the theme. One file, no framework; a page without JavaScript is whole.
"use strict";

(() => {
  // The theme restores how far the sidebar was scrolled on the page before: the current page may be out of sight.
  function showCurrentPage(sidebar) {
    const here = [...sidebar.querySelectorAll(".bd-sidenav a.current")].pop();
    if (!here) return;
    const box = here.getBoundingClientRect();
    const seen = sidebar.getBoundingClientRect();
    const bottom = Math.min(seen.bottom, window.innerHeight);
    if (box.top < Math.max(seen.top, 0) || box.bottom > bottom) {
      sidebar.scrollTop += (box.top + box.bottom) / 2 - (Math.max(seen.top, 0) + bottom) / 2;
    }
  }

  function followCurrentPage() {
    const sidebar = document.querySelector("#pst-primary-sidebar");
    if (sidebar) new ResizeObserver(() => showCurrentPage(sidebar)).observe(sidebar); // now, and in a smaller window
    // On a narrow screen the theme moves the sidebar's content into a dialog.
    const menu = document.querySelector("#pst-primary-sidebar-modal");
    if (menu) {
      new MutationObserver(() => menu.open && showCurrentPage(menu)).observe(menu, {
        attributeFilter: ["open"],
      });
    }
  }

  // What is wider than its box fades out at the right (workshop.css), until it is scrolled to its end.
  const WIDE = "pre, .pst-scrollable-table-container, .cell_output .output";

  function markCut(box) {
    box.classList.toggle("wk-cut", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
  }

  function markAllCut() {
    const sizes = new ResizeObserver((entries) => entries.forEach((entry) => markCut(entry.target)));
    for (const box of document.querySelectorAll("article")) {
      for (const wide of box.querySelectorAll(WIDE)) {
        sizes.observe(wide); // a tab that is opened, a window that is made narrower
        wide.addEventListener("scroll", () => markCut(wide), { passive: true });
      }
    }
  }

  // The theme lets the keyboard reach what scrolls, but looks only when the window changes its size: a tab or a
  // folded part that is opened later would be left out.
  function reachOpened() {
    const look = () => window.dispatchEvent(new Event("resize"));
    for (const choice of document.querySelectorAll(".sd-tab-set > input")) choice.addEventListener("change", look);
    for (const folded of document.querySelectorAll("article details")) folded.addEventListener("toggle", look);
  }

  document.addEventListener("DOMContentLoaded", () => {
    followCurrentPage();
    markAllCut();
    reachOpened();
  });
})();
