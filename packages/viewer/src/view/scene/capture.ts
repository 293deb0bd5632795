/** Saves pictures and videos of the scene as files. */
import { download } from "../download.ts";

/** Frames per second of a video. */
const FILM_HZ = 30;

/** Saves the canvas as a PNG. Call it in the task that drew the canvas, because a browser may clear it afterwards. */
export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob !== null) download(`${name}.png`, blob);
  }, "image/png");
}

/** Records a video of the canvas until it is stopped, then offers it for download. */
export class Film {
  private readonly recorder: MediaRecorder;

  constructor(canvas: HTMLCanvasElement, name: string) {
    this.recorder = new MediaRecorder(canvas.captureStream(FILM_HZ));
    const parts: Blob[] = [];
    this.recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    this.recorder.addEventListener("stop", () =>
      download(`${name}.webm`, new Blob(parts, { type: this.recorder.mimeType })),
    );
    this.recorder.start();
  }

  stop(): void {
    this.recorder.stop();
  }
}

export function canFilm(): boolean {
  return typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
}
