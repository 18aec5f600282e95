import { createContext, type ComponentType } from 'preact';
import { useContext } from 'preact/hooks';
import type { Operation, Piece, Properties, Property } from '../properties';
import type { PropertySetting, Step } from '../steps';

export interface Scope {
  step: Step;
  piece?: Piece;
  operation?: Operation;
  input: Record<string, unknown>;
  settingOf: (name: string) => PropertySetting | undefined;
  setSetting: (name: string, setting: PropertySetting) => void;
}

export interface FieldProps {
  name: string;
  property: Property;
  value: unknown;
  onValue: (value: unknown) => void;
  problem?: string | undefined;
  /** Field inside another field, which holds its value. */
  nested?: boolean;
}

export interface FieldsProps {
  props: Properties;
  values: Record<string, unknown>;
  onValues: (values: Record<string, unknown>) => void;
  nested?: boolean;
}

/** Field that may contain fields; it receives their component, because importing it would close a circle. */
export interface GroupProps extends FieldProps {
  Fields: ComponentType<FieldsProps>;
}

const context = createContext<Scope | undefined>(undefined);
export const ScopeProvider = context.Provider;

export function useScope(): Scope {
  const scope = useContext(context);
  if (!scope) {
    throw new Error('expected to be inside the settings of a step');
  }
  return scope;
}

export const labelOf = (name: string, property: Property): string => property.displayName || name;
export const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : typeof value === 'object'
        ? JSON.stringify(value, null, 2)
        : String(value);
