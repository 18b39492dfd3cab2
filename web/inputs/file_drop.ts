import type { Attachment } from 'svelte/attachments';

/** Takes files that are dropped on an element; `tell` learns whether some are held over it. */
export function fileDrop(take: (files: FileList | undefined) => void, tell: (isOver: boolean) => void): Attachment {
  const over = (event: Event): void => {
    event.preventDefault();
    tell(true);
  };
  const leave = (): void => tell(false);
  const drop = (event: Event): void => {
    event.preventDefault();
    tell(false);
    take((event as DragEvent).dataTransfer?.files);
  };
  const listeners = { dragover: over, dragleave: leave, drop };
  return (element) => {
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
    };
  };
}
