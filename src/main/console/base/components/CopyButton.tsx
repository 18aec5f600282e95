import { useState } from 'preact/hooks';
import { t } from '../text';
import { Button } from './Button';

const SHOWN_MS = 1_500;

/** Browsers withhold the clipboard from pages without TLS, except by the older command. */
async function copied(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  // Inside an open modal dialog: elements outside it cannot be selected.
  const place = document.activeElement?.closest('dialog') ?? document.body;
  place.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) {
    throw new Error('the browser refused to copy');
  }
}

export function CopyButton({ text }: { text: string }) {
  const [isDone, setIsDone] = useState(false);
  const copy = async (): Promise<void> => {
    await copied(text);
    setIsDone(true);
    setTimeout(() => setIsDone(false), SHOWN_MS);
  };
  return (
    <Button
      kind="quiet"
      size="small"
      icon={isDone ? 'check' : 'copy'}
      label={isDone ? t('base.copied') : t('base.copy')}
      onClick={() => copy()}
    />
  );
}
