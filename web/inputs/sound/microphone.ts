import { refusals } from '../../../build/generated/texts/inputs.ts';
import { Refusal } from '../refusal.ts';
import { MOST_SECONDS } from './read.ts';

export interface Recording {
  /** The recording, once it has ended. */
  readonly ended: Promise<Blob>;
  readonly stop: () => void;
}

/** Records until `stop` is called, ten seconds at most; the visitor is asked by the browser. */
export async function record(): Promise<Recording> {
  // Without a secure address there are no devices, whatever the types say.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices || typeof MediaRecorder === 'undefined') throw new Refusal(refusals.noMicrophone);
  let stream: MediaStream;
  try {
    stream = await devices.getUserMedia({ audio: true });
  } catch (error) {
    const denied = error instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(error.name);
    throw new Refusal(denied ? refusals.microphoneDenied : refusals.noMicrophone);
  }
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stop = (): void => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const timer = setTimeout(stop, MOST_SECONDS * 1000);
  const ended = new Promise<Blob>((resolve) => {
    recorder.onstop = () => {
      clearTimeout(timer);
      stream.getTracks().forEach((track) => track.stop());
      resolve(new Blob(parts, { type: recorder.mimeType }));
    };
  });
  recorder.start();
  return { ended, stop };
}
