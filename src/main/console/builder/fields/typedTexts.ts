/**
 * Texts typed into a field that have not yet returned as its value. A value that is behind them is older than the content of
 * the field: rendering it would lose characters.
 */
export class TypedTexts {
  private readonly texts: string[] = [];
  private value: string | undefined;

  add(text: string): void {
    this.texts.push(text);
  }

  /** Takes the value of a render: `behind` the typed texts, the `latest` of them, or from another source. */
  compare(value: string): 'behind' | 'latest' | 'other' {
    const isRepeated = value === this.value;
    this.value = value;
    const at = this.texts.indexOf(value);
    this.texts.splice(0, at + 1);
    if (this.texts.length > 0 && (at >= 0 || isRepeated)) {
      return 'behind';
    }
    return at >= 0 ? 'latest' : 'other';
  }

  clear(): void {
    this.texts.length = 0;
  }
}
