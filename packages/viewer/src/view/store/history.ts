/**
 * Undo and redo of injections, deletions, edits and the layout.
 *
 * When a step can no longer be undone or redone, its `forget` is called, so that it can free what it kept.
 */
import type { ViewState } from "./state.ts";

interface Step {
  /** Describes the step. */
  readonly label: string;
  undo(): void;
  redo(): void;
  /** Called once; `wasDone` is false if the step was undone. */
  forget?(wasDone: boolean): void;
}

const MAX_STEPS = 30;

export class History {
  private readonly state: ViewState;
  private done: Step[] = [];
  private undone: Step[] = [];

  constructor(state: ViewState) {
    this.state = state;
  }

  /** Adds a step that has just been done. */
  add(step: Step): void {
    for (const each of this.undone.splice(0)) each.forget?.(false);
    this.done.push(step);
    if (this.done.length > MAX_STEPS) this.done.shift()!.forget?.(true);
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
