import { ownTimeZone } from './schedule';

export type PropertyType =
  | 'SHORT_TEXT'
  | 'LONG_TEXT'
  | 'MARKDOWN'
  | 'DROPDOWN'
  | 'STATIC_DROPDOWN'
  | 'NUMBER'
  | 'CHECKBOX'
  | 'OAUTH2'
  | 'SECRET_TEXT'
  | 'ARRAY'
  | 'OBJECT'
  | 'BASIC_AUTH'
  | 'JSON'
  | 'MULTI_SELECT_DROPDOWN'
  | 'STATIC_MULTI_SELECT_DROPDOWN'
  | 'DYNAMIC'
  | 'CUSTOM_AUTH'
  | 'DATE_TIME'
  | 'FILE'
  | 'CUSTOM'
  | 'COLOR'
  | 'OIDC';

export interface Property {
  type: PropertyType;
  displayName?: string | null;
  description?: string;
  required?: boolean;
  defaultValue?: unknown;
  placeholder?: string;
  options?: Choices;
  refreshers?: string[];
  refreshOnSearch?: boolean;
  properties?: Properties;
  variant?: string;
}

export type Properties = Record<string, Property>;

export interface Choice {
  label: string;
  value: unknown;
  description?: string;
}
export interface Choices {
  options?: Choice[];
  disabled?: boolean;
  placeholder?: string;
}

export interface Auth extends Omit<Property, 'properties'> {
  props?: Properties;
  username?: { displayName?: string; description?: string };
  password?: { displayName?: string; description?: string };
  authUrl?: string;
  scope?: string[];
  grantType?: string | string[];
}

export interface Operation {
  name: string;
  displayName: string;
  description: string;
  props: Properties;
  requireAuth: boolean;
  errorHandlingOptions?: {
    continueOnFailure?: { hide?: boolean; defaultValue?: boolean };
    retryOnFailure?: { hide?: boolean; defaultValue?: boolean };
  };
  /** Only of triggers. */
  type?: string;
  testStrategy?: string;
  sampleData?: unknown;
}

export interface Piece {
  name: string;
  displayName: string;
  version: string;
  logoUrl: string;
  description: string;
  auth?: Auth | Auth[];
  categories: string[];
  actions: Record<string, Operation>;
  triggers: Record<string, Operation>;
}

export function emptyValue(property: Property): unknown {
  if (property.defaultValue !== undefined && property.defaultValue !== null) {
    return property.defaultValue;
  }
  switch (property.type) {
    case 'ARRAY':
      return property.required && property.properties ? [emptyInput(property.properties)] : [];
    case 'CHECKBOX':
      return property.required ? false : undefined;
    case 'OBJECT':
    case 'DYNAMIC':
      return {};
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'SECRET_TEXT':
    case 'DATE_TIME':
    case 'FILE':
    case 'COLOR':
      return '';
    default:
      return undefined;
  }
}

export const emptyInput = (props: Properties): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(props)
      .filter(([, property]) => property.type !== 'MARKDOWN')
      .map(([name, property]) => [name, ownZone(name, property) ?? emptyValue(property)]),
  );

/** Properties of a form that have an initial value and were never shown. */
export const unfilled = (props: Properties, values: Record<string, unknown>): string[] =>
  Object.entries(props)
    .filter(
      ([name, property]) =>
        !(name in values) &&
        (property.defaultValue !== undefined || (property.type === 'ARRAY' && property.required === true)),
    )
    .map(([name]) => name);

/** Time zone of the browser for a property that offers it and defaults to UTC. */
const ownZone = (name: string, property: Property): string | undefined =>
  name === 'timezone' &&
  property.defaultValue === 'UTC' &&
  property.options?.options?.some((choice) => choice.value === ownTimeZone())
    ? ownTimeZone()
    : undefined;

export const authsOf = (piece: Piece): Auth[] =>
  piece.auth === undefined || piece.auth === null ? [] : Array.isArray(piece.auth) ? piece.auth : [piece.auth];

export const asksForAuth = (piece: Piece, operation: Operation): boolean =>
  operation.requireAuth !== false && authsOf(piece).length > 0;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export function lacking(props: Properties, input: Record<string, unknown>): string[] {
  return Object.entries(props)
    .filter(([name, property]) => property.type !== 'MARKDOWN' && property.required && isBlank(input[name]))
    .map(([name]) => name);
}
