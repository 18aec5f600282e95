import { useState } from 'preact/hooks';
import { t } from '../text';
import { Button } from './Button';

const SHOWN_MS = 1_500;

/** Copies a text and confirms it in the button itself. */
export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button
      kind="quiet"
      size="small"
      icon={copied ? 'check' : 'copy'}
      label={copied ? t('base.copied') : t('base.copy')}
      onClick={() => copy()}
    />
  );
}
