import type { Answer } from '../base/api/client';

export type Connection = Answer<'POST /v1/app-connections'>;
export type Variable = Answer<'POST /v1/variables'>;

export type Asked =
  | { what: 'new'; global: boolean }
  | { what: 'again' | 'rename' | 'used' | 'replace' | 'share' | 'delete'; connection: Connection }
  | { what: 'newVariable' }
  | { what: 'variable' | 'deleteVariable'; variable: Variable };

export const isGlobal = (connection: Connection): boolean => connection.scope === 'PLATFORM';

const NAME = /^[a-zA-Z0-9_]{1,200}$/;

export const isVariableName = (name: string): boolean => NAME.test(name);
