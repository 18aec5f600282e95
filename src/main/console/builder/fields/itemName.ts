/** English plural endings with the ending of the singular. */
const ENDINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/ies$/, 'y'],
  [/(?<=x|ch|sh|ss)es$/, ''],
  [/(?<=[^su])s$/i, ''],
];

/** Name of one item of a list from its English plural; undefined if the label is none. */
export function itemName(label: string): string | undefined {
  const whole = label.trim();
  const ending = ENDINGS.find(([plural]) => plural.test(whole));
  return ending && whole.length > 2 ? whole.replace(ending[0], ending[1]) : undefined;
}
