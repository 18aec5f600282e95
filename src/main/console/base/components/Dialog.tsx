import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../api/failure';
import { t } from '../text';
import { Button } from './Button';
import { Notice } from './States';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
  wide?: number;
}

/** Modal dialog on the native element, which keeps the focus inside and closes on Escape. */
export function Dialog({ title, onClose, children, footer, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key event, so that the key goes into the dialog.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    const first = ['[autofocus]', '.body input, .body select, .body textarea, footer .button']
      .map((selector) => dialog.current?.querySelector<HTMLElement>(selector))
      .find((element) => element);
    first?.focus();
  }, []);
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={id}
      style={wide ? { '--wide': `${wide}px` } : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers may close a dialog without a cancel event if the user has not interacted with it.
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" size="small" icon="x" label={t('base.close')} onClick={onClose} />
      </header>
      {children}
      {footer}
    </dialog>
  );
}

interface FormProps {
  title: string;
  submit: string;
  danger?: boolean;
  onClose: () => void;
  /** Submits the form; on failure the dialog stays open and shows it. */
  perform: () => Promise<Failure | undefined>;
  children: (fields: Record<string, string>) => ComponentChildren;
  disabled?: boolean;
  wide?: number;
}

/** A failure is shown at its field, or above the buttons. */
export function FormDialog({
  title,
  submit,
  danger = false,
  onClose,
  perform,
  children,
  disabled = false,
  wide,
}: FormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const refusal = await perform();
    setBusy(false);
    setFailure(refusal);
    if (!refusal) {
      onClose();
    }
  };
  return (
    <Dialog title={title} onClose={onClose} {...(wide ? { wide } : {})}>
      <form onSubmit={onSubmit} noValidate>
        <div class="body">
          {children(failure?.fields ?? {})}
          {failure && Object.keys(failure.fields).length === 0 ? <Notice failure={failure} /> : null}
        </div>
        <footer>
          <Button onClick={onClose}>{t('base.cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
