import { guest } from '../base/text/guest';

export type GuestTextKey = keyof typeof guest;

let texts: Record<GuestTextKey, string> = guest;

/** Speaks another language from the next rendering on; what it lacks is said in English. */
export function speak(others: Partial<Record<GuestTextKey, string>>): void {
  texts = { ...guest, ...others };
}

/** A text with its places filled: `{name}`. */
export function t(key: GuestTextKey, places: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole));
}
