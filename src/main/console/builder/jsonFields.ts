import { jsonProblem } from './fields/jsonTemplate';
import type { Properties } from './properties';
import type { PropertySetting } from './steps';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Labels of JSON fields whose text does not parse, with those of list items and of forms that a piece defines. A field of
 * a list item carries the name of the list and the number of the item: `Rows 2 › Data`.
 *
 * @param settings stored definitions of such forms by property name
 */
export function invalidJsonIn(
  props: Properties,
  input: Record<string, unknown>,
  settings: Record<string, PropertySetting> = {},
): string[] {
  return Object.entries(props).flatMap(([name, property]) => {
    const value = input[name];
    const label = property.displayName || name;
    if (property.type === 'JSON') {
      return typeof value === 'string' && jsonProblem(value) !== undefined ? [label] : [];
    }
    if (property.type === 'ARRAY' && property.properties && Array.isArray(value)) {
      const of = property.properties;
      return value.flatMap((item: unknown, index) =>
        isRecord(item) ? invalidJsonIn(of, item).map((field) => `${label} ${index + 1} › ${field}`) : [],
      );
    }
    const schema = property.type === 'DYNAMIC' ? (settings[name]?.schema ?? property.properties) : undefined;
    return isRecord(schema) && isRecord(value) ? invalidJsonIn(schema as Properties, value) : [];
  });
}
