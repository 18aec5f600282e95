const KEPT_MAX = 50;

/** Keys of writes that the server has not decided: the same write gets the same key again, so that it is performed once. */
export class UndecidedWrites {
  private readonly keys = new Map<string, string>();

  constructor(private readonly next: () => string) {}

  /** Key of a write: that of the same write before, unless it was decided. */
  keyOf(write: string): string {
    const key = this.keys.get(write) ?? this.next();
    this.keys.delete(write);
    this.keys.set(write, key);
    if (this.keys.size > KEPT_MAX) {
      this.keys.delete(this.keys.keys().next().value as string);
    }
    return key;
  }

  decided(write: string): void {
    this.keys.delete(write);
  }
}
