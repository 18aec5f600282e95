import { t } from '../base/text';

/**
 * Problems of the fields of a form by name. The messages of the browser are in its own language and cover the page, so forms do
 * without them.
 */
export function problemsIn(form: HTMLFormElement): Record<string, string> {
  const found: Record<string, string> = {};
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && element.name !== '' && !element.validity.valid) {
      found[element.name] = wordsOf(element);
    }
  }
  return found;
}

function wordsOf({ validity, minLength }: HTMLInputElement): string {
  if (validity.valueMissing) {
    return t('field.required');
  }
  if (validity.tooShort) {
    return t('signIn.tooShort', { count: minLength });
  }
  return t(validity.typeMismatch ? 'signIn.badEmail' : 'signIn.badFormat');
}
