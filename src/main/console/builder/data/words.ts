import { t } from '../../base/text';
import type { Resolution } from './references';

export function wordsOf(problem: NonNullable<Resolution['problem']>): string {
  switch (problem.kind) {
    case 'step':
      return problem.name ? t('data.deletedStep', { name: problem.name }) : t('data.noStep', { name: problem.what });
    case 'later':
      return t('data.laterStep', { name: problem.name ?? problem.what });
    case 'syntax':
      return t('data.syntax', { text: problem.what });
    case 'formula':
      return problem.what;
    case 'path':
      return t('data.noPath', { name: problem.what });
  }
}
