import type { Attachment } from 'svelte/attachments';

/** Says in `data-cut` on which sides a row that scrolls has more than it shows: "start", "end", both or "". Styles of app.css fade these sides. */
export const scrollCue: Attachment<HTMLElement> = (element) => {
  const look = (): void => {
    const { scrollLeft, scrollWidth, clientWidth } = element;
    const sides = [scrollLeft > 1 && 'start', scrollLeft + clientWidth < scrollWidth - 1 && 'end'];
    element.dataset.cut = sides.filter((side) => side !== false).join(' ');
  };
  const resizes = new ResizeObserver(look);
  resizes.observe(element);
  const changes = new MutationObserver(look);
  changes.observe(element, { childList: true, characterData: true, subtree: true });
  element.addEventListener('scroll', look, { passive: true });
  return () => {
    resizes.disconnect();
    changes.disconnect();
    element.removeEventListener('scroll', look);
  };
};
