import { t } from '../text';
import { saveFile } from '../download';
import { Button } from './Button';
import { CopyButton } from './CopyButton';
import { Dialog } from './Dialog';
import { Notice } from './States';

/** Secret that the server returns only once. */
export function SecretDialog({
  title,
  secret,
  file,
  close,
}: {
  title: string;
  secret: string;
  file?: string;
  close: () => void;
}) {
  return (
    <Dialog
      title={title}
      onClose={close}
      wide={file ? 640 : 520}
      footer={
        <footer>
          {file ? (
            <Button icon="download" onClick={() => saveFile(file, secret, 'application/x-pem-file')}>
              {t('base.download')}
            </Button>
          ) : null}
          <Button kind="primary" onClick={close}>
            {t('base.kept')}
          </Button>
        </footer>
      }>
      <div class="body">
        <Notice tone="amber">{t('base.once')}</Notice>
        <Once text={secret} secret />
      </div>
    </Dialog>
  );
}

/** A secret has no words: it breaks anywhere. */
export function Once({ text, secret = false }: { text: string; secret?: boolean }) {
  return (
    <div class={secret ? 'once secret' : 'once'}>
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
