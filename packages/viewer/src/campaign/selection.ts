/** The number of the flight that the reader chose. The address contains it too, so that a link can lead to a flight. */

type Listener = (k: number | undefined) => void;

export class Selection {
  private readonly listeners: Listener[] = [];
  private current: number | undefined;

  get flight(): number | undefined {
    return this.current;
  }

  /** Calls the listener now with the chosen flight, and again whenever the choice changes. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
    listener(this.current);
  }

  choose(k: number | undefined): void {
    if (k === this.current) return;
    this.current = k;
    history.replaceState(null, "", k === undefined ? location.pathname : `#${k}`);
    for (const listener of this.listeners) listener(k);
  }

  /** Chooses the flight that the address names, now and whenever the address changes. */
  followAddress(): void {
    const follow = () => {
      const [, digits] = /^#(\d{1,9})$/.exec(location.hash) ?? [];
      if (digits !== undefined) this.choose(Number(digits));
    };
    addEventListener("hashchange", follow);
    follow();
  }
}
