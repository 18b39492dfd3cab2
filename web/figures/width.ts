import type { Attachment } from 'svelte/attachments';

/**
 * Tells an element's width (`clientWidth`) when it is first laid out and whenever it changes, before the frame is painted. Unlike
 * `bind:clientWidth` it does not make the browser lay out at once what is still being made. Figures that are costly to draw bind instead: in
 * tasks of their own, each is laid out and drawn by itself, where here all that stand in a frame would be drawn in one task.
 */
export function onWidth(tell: (width: number) => void): Attachment<Element> {
  return (element) => {
    const observer = new ResizeObserver(() => tell(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  };
}
