import type { Attachment } from 'svelte/attachments';

/** Makes an element a tab stop while its content is wider than it is, so that the arrow keys scroll it. */
export const reachable: Attachment<HTMLElement> = (element) => {
  const observer = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  observer.observe(element);
  return () => observer.disconnect();
};
