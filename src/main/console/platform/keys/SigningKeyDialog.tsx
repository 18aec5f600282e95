import { useState } from 'preact/hooks';
import { settle } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { t } from '../../base/text';
import type { NewSecret } from './model';

export function SigningKeyDialog({ close, made }: { close: () => void; made: (shown: NewSecret) => void }) {
  const [displayName, setDisplayName] = useState('');
  const perform = async () =>
    settle(await reliably('POST /v1/signing-keys', { body: { displayName: displayName.trim() } }), (key) =>
      made({ title: t('keys.made', { name: key.displayName }), secret: key.privateKey, file: `${key.id}.pem` }),
    );
  return (
    <FormDialog
      title={t('keys.newSigning')}
      submit={t('base.create')}
      onClose={close}
      perform={perform}
      disabled={displayName.trim() === ''}>
      {(problems) => (
        <TextField
          label={t('flows.column.name')}
          help={t('keys.signingHelp')}
          value={displayName}
          onValue={setDisplayName}
          problem={problems['displayName']}
          control={{ name: 'displayName' }}
        />
      )}
    </FormDialog>
  );
}
