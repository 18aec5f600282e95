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

/** A modal dialog: the browser's own, so that the focus stays inside and Escape closes it. */
export function Dialog({ title, onClose, children, footer, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once, so that the next key goes into it.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[autofocus], .body input, .body select, .body textarea, footer .button')?.focus();
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
      // A browser may close it without asking, where nothing was pressed before.
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
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
  /** Does the work; a failure is shown and the dialog stays. */
  perform: () => Promise<Failure | undefined>;
  children: (fields: Record<string, string>) => ComponentChildren;
  disabled?: boolean;
}

/** A dialog with one form, whose work may be refused: what is wrong is said at the field, or above the buttons. */
export function FormDialog({ title, submit, danger = false, onClose, perform, children, disabled = false }: FormProps) {
  const [busy, work] = useState(false);
  const [failure, refuse] = useState<Failure>();
  const onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    work(true);
    const refusal = await perform();
    work(false);
    refuse(refusal);
    if (!refusal) {
      onClose();
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate>
        <div class="body">
          {children(failure?.fields ?? {})}
          {failure && Object.keys(failure.fields).length === 0 ? <Notice failure={failure} /> : null}
        </div>
        <footer>
          <Button onClick={onClose}>{t('base.cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={disabled}>{submit}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
