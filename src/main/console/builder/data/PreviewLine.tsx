import { t } from '../../base/text';
import type { Preview } from './usePreview';

const LETTERS_MAX = 400;

export function PreviewLine({ preview }: { preview: Preview | undefined }) {
  return preview === undefined || preview.state === 'unknown' ? null : (
    <div class={`preview ${preview.state}`} role="status" data-preview={preview.state}>
      <span class="faint">{t('preview.label')}</span> <span class="preview-value">{wordsOf(preview)}</span>
    </div>
  );
}

function wordsOf(preview: Exclude<Preview, { state: 'unknown' }>): string {
  switch (preview.state) {
    case 'problem':
      return preview.problem;
    case 'tooLong':
      return t('preview.tooLong');
    case 'missing':
      return t('preview.missing', { name: preview.step });
    case 'value': {
      const text = typeof preview.value === 'string' ? preview.value : (JSON.stringify(preview.value) ?? '');
      return text === '' ? t('preview.empty') : text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX)}…` : text;
    }
  }
}
