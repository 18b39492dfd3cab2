import type { Attachment } from 'svelte/attachments';

/**
 * Lets a finger drag where `takes` says so; elsewhere it scrolls the page. The browser must hear it from `touchstart`: it does not ask the shapes
 * inside an SVG for their touch-action, and one on the whole picture would stop the page from scrolling wherever the picture fills a phone.
 */
export function touchDrags(takes: (finger: { clientX: number; clientY: number }) => boolean): Attachment<Element> {
  return (element) => {
    const onstart = (event: Event): void => {
      const { touches } = event as TouchEvent;
      if (event.cancelable && touches.length === 1 && touches[0] && takes(touches[0])) event.preventDefault();
    };
    element.addEventListener('touchstart', onstart, { passive: false });
    return () => element.removeEventListener('touchstart', onstart);
  };
}
