import type { Attachment } from 'svelte/attachments';

/**
 * Tells an element's width (`clientWidth`) when it is first laid out and whenever it changes, before the frame is painted. Unlike
 * `bind:clientWidth` it never makes the browser lay out a page that is still being made.
 */
export function onWidth(tell: (width: number) => void): Attachment<Element> {
  return (element) => {
    const observer = new ResizeObserver(() => tell(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  };
}
