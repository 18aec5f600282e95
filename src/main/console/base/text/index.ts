import { agents } from './agents';
import { base } from './base';
import { builder } from './builder';
import { builderFields } from './builderFields';
import { builderMapping } from './builderMapping';
import { canvas } from './canvas';
import { connections } from './connections';
import { evidence } from './evidence';
import { flows } from './flows';
import { imports } from './imports';
import { people } from './people';
import { mcp } from './mcp';
import { platform } from './platform';
import { platformAccess } from './platformAccess';
import { platformOffers } from './platformOffers';
import { runs } from './runs';
import { settings } from './settings';
import { start } from './start';
import { tables } from './tables';

/** A translation is a record of the same keys. */
const english = {
  ...agents,
  ...base,
  ...builder,
  ...builderFields,
  ...builderMapping,
  ...canvas,
  ...connections,
  ...evidence,
  ...flows,
  ...imports,
  ...mcp,
  ...people,
  ...platform,
  ...platformAccess,
  ...platformOffers,
  ...runs,
  ...settings,
  ...start,
  ...tables,
} as const;

export type TextKey = keyof typeof english;
export type Texts = Record<TextKey, string>;

let texts: Texts = english;

/** Sets the translations for the next rendering; missing ones fall back to English. */
export function speak(others: Partial<Texts>): void {
  texts = { ...english, ...others };
}

/** Text with its placeholders filled: `{name}`. */
export function t(key: TextKey, places: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole));
}

const plurals = new Intl.PluralRules('en');

/** Text for a number: the key with `.one` or `.other`. */
export function count<K extends string>(
  key: K & (`${K}.one` | `${K}.other` extends TextKey ? unknown : never),
  number: number,
  places: Record<string, string | number> = {},
): string {
  const form = plurals.select(number) === 'one' ? 'one' : 'other';
  return t(`${key as string}.${form}` as TextKey, { count: number, ...places });
}
