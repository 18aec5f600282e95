const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** Size in decimal units. */
export function sizeOf(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`;
}
