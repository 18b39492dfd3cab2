import { cacheName, WORKER, type Failure, type ToPage, type ToWorker } from './files.ts';

/**
 * Whether this browser keeps the page: unsupported (no https, or the browser refuses), off (the visitor removed it), spared (the visitor's device saves
 * data, so nothing is fetched unasked), fetching, kept, failed.
 */
export type Phase = 'unknown' | 'unsupported' | 'off' | 'spared' | 'fetching' | 'kept' | 'failed';

const CHOICE = 'fovea.offline';
const scope = new URL('./', location.href).href;

/** The page's side of its service worker. */
class Offline {
  phase: Phase = $state('unknown');
  /** The share of the files that are fetched ahead: 0 … 1. */
  fetched = $state(0);
  failure: { readonly failure: Failure; readonly path: string } | null = $state.raw(null);
  /** A newer version has been fetched and waits to be taken. */
  waiting = $state(false);
  /** Another tab has taken the newer version. This page goes on with the files it was opened with. */
  takenElsewhere = $state(false);
  #registration: ServiceWorkerRegistration | undefined;
  #listening = false;
  #taking = false;

  /** Registers the service worker unless the visitor or the device is against it; `asked` when a button was pressed. */
  async start({ asked = false } = {}): Promise<void> {
    const container = serviceWorkers();
    if (!container) {
      this.phase = 'unsupported';
      return;
    }
    try {
      this.#registration = await container.getRegistration(scope);
      if (!asked && !this.#registration && this.#heldBack()) return;
      this.#listen(container);
      if (asked) storeChoice(null);
      if (this.phase !== 'kept') this.phase = this.#registration?.active ? 'kept' : 'fetching';
      this.failure = null;
      this.#registration = await container.register(new URL(WORKER, scope), { scope, updateViaCache: 'none' });
      this.#watch(this.#registration, container);
    } catch {
      this.phase = this.#registration?.active ? 'kept' : 'unsupported';
    }
  }

  #heldBack(): boolean {
    if (storedChoice() === 'off') this.phase = 'off';
    else if (savesData()) this.phase = 'spared';
    else return false;
    return true;
  }

  /** The new version answers from now on, and this page is opened with it. */
  take(): void {
    this.#taking = true;
    this.#send(this.#registration?.waiting, { type: 'take' });
  }

  /** Ends the offline copy: the service worker, its files, and what they take of the disk. Nothing is fetched ahead until the visitor asks. */
  async remove(): Promise<void> {
    storeChoice('off');
    const registration = this.#registration ?? (await serviceWorkers()?.getRegistration(scope));
    await registration?.unregister();
    await caches.delete(cacheName(scope));
    this.#registration = undefined;
    this.waiting = false;
    this.phase = 'off';
  }

  /** Asks the service worker for the headers that threads need; the page is opened again with them, or without them. */
  isolate(on: boolean): void {
    this.#send(this.#registration?.active, { type: 'isolate', on });
  }

  #send(worker: ServiceWorker | null | undefined, message: ToWorker): void {
    worker?.postMessage(message);
  }

  #listen(container: ServiceWorkerContainer): void {
    if (this.#listening) return;
    this.#listening = true;
    let controlled = container.controller !== null;
    container.addEventListener('controllerchange', () => {
      if (controlled && this.#taking) location.reload();
      else if (controlled) Object.assign(this, { waiting: false, takenElsewhere: true });
      controlled = container.controller !== null;
    });
    container.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
      if (data.type === 'progress') this.fetched = data.done / data.total;
      else if (data.type === 'isolated') location.reload();
      else this.#fail(data);
    });
    container.startMessages();
  }

  #fail(failed: { readonly failure: Failure; readonly path: string }): void {
    this.failure = failed;
    if (this.phase !== 'kept') this.phase = 'failed';
    // A browser without room would be asked in vain at every visit.
    if (failed.failure === 'quota') storeChoice('off');
  }

  #watch(registration: ServiceWorkerRegistration, container: ServiceWorkerContainer): void {
    const follow = (worker: ServiceWorker | null): void => {
      const look = (): void => {
        if (worker?.state === 'installed' && container.controller) this.waiting = true;
        if (worker?.state === 'activated') this.phase = 'kept';
        if (worker?.state === 'redundant' && this.phase === 'fetching') this.phase = 'failed';
      };
      worker?.addEventListener('statechange', look);
      look();
    };
    registration.addEventListener('updatefound', () => follow(registration.installing));
    follow(registration.installing);
    follow(registration.waiting);
    follow(registration.active);
  }
}

export const offline = new Offline();

/** Undefined where the page did not come by https, and where the browser has none. */
function serviceWorkers(): ServiceWorkerContainer | undefined {
  return isSecureContext && 'serviceWorker' in navigator && 'caches' in globalThis ? navigator.serviceWorker : undefined;
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

function storedChoice(): string | null {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null;
  }
}

function storeChoice(choice: 'off' | null): void {
  try {
    if (choice === null) localStorage.removeItem(CHOICE);
    else localStorage.setItem(CHOICE, choice);
  } catch {
    // Where storage is switched off there is no service worker either.
  }
}
