/**
 * Undo and redo over injections, deletions, edits and the layout.
 *
 * A step can be undone and repeated. `forget` is called when a step can no longer be undone
 * or redone, so that what it kept for that purpose can be freed.
 */
import type { ViewState } from "./state.ts";

interface Step {
  /** Describes the step, for the button's label. */
  readonly label: string;
  undo(): void;
  redo(): void;
  /** Called once, with whether the step was active when it was forgotten. */
  forget?(wasDone: boolean): void;
}

const MOST_STEPS = 30;

export class History {
  private readonly state: ViewState;
  private done: Step[] = [];
  private undone: Step[] = [];

  constructor(state: ViewState) {
    this.state = state;
  }

  /** Remembers a step that has just happened. */
  add(step: Step): void {
    for (const each of this.undone.splice(0)) each.forget?.(false);
    this.done.push(step);
    if (this.done.length > MOST_STEPS) this.done.shift()!.forget?.(true);
    this.update();
  }

  undo(): void {
    const step = this.done.pop();
    if (step === undefined) return;
    step.undo();
    this.undone.push(step);
    this.update();
  }

  redo(): void {
    const step = this.undone.pop();
    if (step === undefined) return;
    step.redo();
    this.done.push(step);
    this.update();
  }

  private update(): void {
    this.state.canUndo.value = this.done.length > 0;
    this.state.canRedo.value = this.undone.length > 0;
  }
}
