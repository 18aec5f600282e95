import type { ComponentChildren } from 'preact';
import { settle, type Result } from '../api/failure';
import { t } from '../text';
import { FormDialog } from './Dialog';
import { say } from './Toasts';

interface Props {
  title: string;
  /** Consequences of the action. */
  text: ComponentChildren;
  submit?: string;
  /** Not destructive: nothing is lost. */
  harmless?: boolean;
  perform: () => Promise<Result<unknown>>;
  /** Toast after success. */
  done?: string;
  close: () => void;
  changed: () => void;
}

export function ConfirmDialog({
  title,
  text,
  submit = t('base.delete'),
  harmless = false,
  perform,
  done,
  close,
  changed,
}: Props) {
  return (
    <FormDialog
      danger={!harmless}
      title={title}
      submit={submit}
      onClose={close}
      perform={async () =>
        settle(await perform(), () => {
          if (done) {
            say(done);
          }
          changed();
        })
      }>
      {() => <p>{text}</p>}
    </FormDialog>
  );
}
