import type { GivenTemplateFlow, NewTemplate, TemplateChanges } from '#api';
import { tagsOf } from '../pieces/offer';
import type { Template } from './TemplatesPage';

/** Form values of a template; lists are comma-separated. */
export interface Wish {
  flowId: string;
  name: string;
  summary: string;
  description: string;
  author: string;
  categories: string;
  tags: string;
}

const TAG_COLOR = '#2F6F5E';

export const fresh = (template: Template | undefined, author: string): Wish => ({
  flowId: '',
  name: template?.name ?? '',
  summary: template?.summary ?? '',
  description: template?.description ?? '',
  author: template?.author ?? author,
  categories: (template?.categories ?? []).join(', '),
  tags: (template?.tags ?? []).map((tag) => tag.title).join(', '),
});

const common = (wish: Wish) => ({
  name: wish.name.trim(),
  summary: wish.summary.trim(),
  description: wish.description,
  categories: tagsOf(wish.categories),
  tags: tagsOf(wish.tags).map((title) => ({ title, color: TAG_COLOR })),
});

export const changesOf = (wish: Wish): TemplateChanges => common(wish);

export const newOf = (wish: Wish, flows: ReadonlyArray<unknown>): NewTemplate => ({
  ...common(wish),
  author: wish.author.trim(),
  type: 'CUSTOM',
  flows: flows as GivenTemplateFlow[],
});
