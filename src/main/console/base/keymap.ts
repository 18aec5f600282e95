/** A key that was pressed. The command key of a Mac counts as Ctrl. */
export interface KeyPress {
  key: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}

/**
 * Matches a key press against a notation such as `Ctrl+K`, `Shift+?` or `g f`.
 *
 * @param before previous key, for notations of two keys
 */
export function handles(notation: string, before: string, press: KeyPress): 'yes' | 'begins' | 'no' {
  const [first = '', second] = notation.split(' ');
  if (second === undefined) {
    return before === '' && fits(first, press)
      ? 'yes'
      : before !== '' && fits(first, press) && press.ctrl
        ? 'yes'
        : 'no';
  }
  if (before === first.toLowerCase() && fits(second, press)) {
    return 'yes';
  }
  return fits(first, press) ? 'begins' : 'no';
}

function fits(notation: string, press: KeyPress): boolean {
  const parts = notation.split('+');
  const key = notation.endsWith('++') ? '+' : (parts.at(-1) ?? '');
  const symbol = key.length === 1 && !/[a-z0-9]/i.test(key);
  return (
    key.toLowerCase() === press.key.toLowerCase() &&
    parts.includes('Ctrl') === press.ctrl &&
    parts.includes('Alt') === press.alt &&
    (symbol || parts.includes('Shift') === press.shift)
  );
}

export function written(notation: string, mac: boolean): string {
  return mac ? notation.replace('Ctrl+', '⌘').replace('Alt+', '⌥').replace('Shift+', '⇧') : notation;
}

export const onMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
