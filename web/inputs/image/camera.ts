import { refusals } from '../../../build/generated/texts/inputs.ts';
import { Refusal } from '../refusal.ts';

/** A camera's moving picture; the visitor is asked by the browser. Its tracks are stopped by who opened it. */
export async function openCamera(): Promise<MediaStream> {
  // Without a secure address there are no devices, whatever the types say.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) throw new Refusal(refusals.noCamera);
  try {
    return await devices.getUserMedia({ video: { width: { ideal: 1280 }, facingMode: 'environment' } });
  } catch (error) {
    const denied = error instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(error.name);
    throw new Refusal(denied ? refusals.cameraDenied : refusals.noCamera);
  }
}

export const stop = (stream: MediaStream | null): void => stream?.getTracks().forEach((track) => track.stop());
