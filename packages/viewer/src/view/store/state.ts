/**
 * The state of the page, as signals. What follows from it (the row at the playhead, values, the link) is computed, not
 * stored.
 */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { TextDiagnostic, FlightId, PlainError, TimeSpan } from "../protocol.ts";
import type { ViewFlight } from "./view-flight.ts";

export const CAMERA_MODES = ["follow", "chase", "top", "free", "on-board"] as const;
export type CameraMode = (typeof CAMERA_MODES)[number];

/** The position of the camera relative to its target. */
export interface CameraView {
  readonly mode: CameraMode;
  readonly azimuthDeg: number;
  readonly elevationDeg: number;
  readonly distanceM: number;
}

/** One plot: quantities over time, one quantity against another, or spectra. */
export interface Panel {
  readonly id: number;
  readonly kind: "time" | "xy" | "spectrum";
  readonly quantities: readonly string[];
  readonly isLogarithmic?: boolean;
  /** Fixed limits of the vertical axis. */
  readonly limits?: readonly [low: number, high: number];
}

/** What the colours along the active flight's path can show. */
export const PATH_COLOURINGS = ["flight", "mode", "speed", "error"] as const;
export type PathColouring = (typeof PATH_COLOURINGS)[number];

/** Pace of playback: flight seconds per wall second. */
export const PACES = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16] as const;

type Theme = "system" | "dark" | "light";
/** The instant by which flights are aligned when they are compared. */
export type Alignment =
  | { readonly by: "time" }
  | { readonly by: "fork" }
  | { readonly by: "event"; readonly kind: string }
  | { readonly by: "motion" };

/** An error that does not belong to a flight, such as an unreadable file or a crash of the worker. */
interface Trouble {
  readonly id: number;
  readonly title: string;
  readonly errors: readonly PlainError[];
}

/** A previewed future, which is not kept. */
interface PreviewView {
  readonly flight: FlightId;
  readonly fromUs: number;
  readonly timesUs: Float64Array;
  /** North, east, down and the attitude w, x, y, z, column by column. */
  readonly values: Float32Array;
  readonly endUs?: number;
  readonly outcome?: string;
}

export class ViewState {
  readonly flights: Signal<readonly ViewFlight[]> = signal([]);
  readonly activeId: Signal<FlightId | undefined> = signal(undefined);
  /** The flight that the others are compared with. */
  readonly referenceId: Signal<FlightId | undefined> = signal(undefined);
  readonly nowUs = signal(0);
  /**
   * The time of the event under the pointer, which is shown instead of the playhead's time; undefined if there is none.
   */
  readonly peekUs: Signal<number | undefined> = signal(undefined);
  readonly isPlaying = signal(false);
  readonly isReversed = signal(false);
  readonly pace: Signal<number> = signal(1);
  /** The span that plots and timeline show; undefined for the whole flight. */
  readonly span: Signal<TimeSpan | undefined> = signal(undefined);
  readonly isFollowing = signal(false);
  readonly marks: Signal<{ readonly aUs?: number; readonly bUs?: number }> = signal({});
  readonly isLooping = signal(false);
  readonly camera: Signal<CameraView> = signal({ mode: "follow", azimuthDeg: 205, elevationDeg: 17, distanceM: 5.6 });
  readonly pathColouring: Signal<PathColouring> = signal("flight");
  readonly panels: Signal<readonly Panel[]> = signal([]);
  readonly theme: Signal<Theme> = signal("system");
  /** Whether the page is dark now. Canvases are drawn again when it changes, e.g. with the theme of the system. */
  readonly isDark = signal(true);
  readonly alignment: Signal<Alignment> = signal({ by: "time" });
  readonly isComparing = signal(false);
  /** Whether the differences from the reference are shown below each plot. */
  readonly areDifferencesShown = signal(false);
  readonly isEditorOpen = signal(false);
  readonly arePlotsShown = signal(true);
  readonly isHudShown = signal(true);
  /** Whether the scene is drawn at full quality, however long a frame takes. */
  readonly isSceneFull = signal(false);
  /** Widths of the panels beside the scene in pixels; undefined for the default widths. */
  readonly sideWidth: Signal<number | undefined> = signal(undefined);
  readonly editorWidth: Signal<number | undefined> = signal(undefined);
  readonly preview: Signal<PreviewView | undefined> = signal(undefined);
  readonly troubles: Signal<readonly Trouble[]> = signal([]);
  /** The text in the editor if it differs from the active flight's; otherwise undefined. */
  readonly draft: Signal<string | undefined> = signal(undefined);
  /** An offset that the editor shows next, and then clears. */
  readonly editorOffset: Signal<number | undefined> = signal(undefined);
  readonly diagnostics: Signal<readonly TextDiagnostic[]> = signal([]);
  /** Whether the playhead follows the end of a live flight. */
  readonly isLive = signal(false);
  /** Whether the active flight is being flown by hand. */
  readonly isByHand = signal(false);
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);

  readonly active: ReadonlySignal<ViewFlight | undefined> = computed(() => this.flight(this.activeId.value));
  readonly reference: ReadonlySignal<ViewFlight | undefined> = computed(() => this.flight(this.referenceId.value));
  readonly shown: ReadonlySignal<readonly ViewFlight[]> = computed(() =>
    this.flights.value.filter(({ isHidden }) => !isHidden.value),
  );
  /** The end of the longest shown flight. */
  readonly endUs: ReadonlySignal<number> = computed(() =>
    Math.max(0, ...this.shown.value.map((flight) => flight.endUs)),
  );

  /** The slot that the next flight gets, and with it the colour of a preview. */
  get freeSlot(): number {
    const taken = this.flights.peek().map(({ slot }) => slot);
    let slot = 0;
    while (taken.includes(slot)) slot += 1;
    return slot;
  }

  flight(id: FlightId | undefined): ViewFlight | undefined {
    return this.flights.value.find((flight) => flight.id === id);
  }
}
