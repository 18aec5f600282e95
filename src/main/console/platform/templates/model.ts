import type { GivenTemplateFlow, NewTemplate, TemplateChanges } from '#api';
import type { Answer } from '../../base/api/client';
import { tagsOf } from '../pieces/offer';

export type Template = Answer<'GET /v1/templates/{id}'>;

/** Lists are comma-separated. */
export interface TemplateInput {
  flowId: string;
  name: string;
  summary: string;
  description: string;
  author: string;
  categories: string;
  tags: string;
}

const TAG_COLOR = '#2F6F5E';

export const fresh = (template: Template | undefined, author: string): TemplateInput => ({
  flowId: '',
  name: template?.name ?? '',
  summary: template?.summary ?? '',
  description: template?.description ?? '',
  author: template?.author ?? author,
  categories: (template?.categories ?? []).join(', '),
  tags: (template?.tags ?? []).map((tag) => tag.title).join(', '),
});

const common = (input: TemplateInput) => ({
  name: input.name.trim(),
  summary: input.summary.trim(),
  description: input.description,
  categories: tagsOf(input.categories),
  tags: tagsOf(input.tags).map((title) => ({ title, color: TAG_COLOR })),
});

export const changesOf = (input: TemplateInput): TemplateChanges => common(input);

export const newOf = (input: TemplateInput, flows: ReadonlyArray<unknown>): NewTemplate => ({
  ...common(input),
  author: input.author.trim(),
  type: 'CUSTOM',
  flows: flows as GivenTemplateFlow[],
});
