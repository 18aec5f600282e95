import { json } from '@codemirror/lang-json';
import type { Language } from './codeEditor';

export const language: Language = () => [json()];
