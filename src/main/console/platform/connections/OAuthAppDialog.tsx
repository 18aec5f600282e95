import { useState } from 'preact/hooks';
import { settle } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { ComboField } from '../../base/components/Combobox';
import { FormDialog } from '../../base/components/Dialog';
import { TextField } from '../../base/components/Field';
import { session } from '../../base/session';
import { redirectUrlOf } from '../../base/popup';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { PieceLogo } from '../../builder/canvas/PieceLogo';
import { summaries } from '../../builder/canvas/pieces';
import { SetupGuide } from '../../builder/connect/SetupGuide';

export function OAuthAppDialog({ close, changed }: { close: () => void; changed: () => void }) {
  const pieces = useStore(summaries, (all) =>
    [...all.values()].filter(
      (piece) => (piece.auth as { type?: string } | undefined)?.type === 'OAUTH2' || asksOAuth(piece.auth),
    ),
  );
  const flags = useStore(session, (now) => (now.state === 'in' ? now.flags : {}));
  const [app, setApp] = useState({ pieceName: '', clientId: '', clientSecret: '' });
  return (
    <FormDialog
      title={t('oauthApps.new')}
      submit={t('base.save')}
      onClose={close}
      disabled={Object.values(app).some((value) => value.trim() === '')}
      perform={async () => settle(await reliably('POST /v1/oauth-apps', { body: app }), changed)}>
      {(problems) => (
        <>
          <ComboField
            field="piece"
            iconOf={(name) => <PieceLogo pieceName={name} size={16} />}
            label={t('oauthApps.service')}
            empty={t('oauthApps.choose')}
            value={app.pieceName}
            onValue={(pieceName) => setApp({ ...app, pieceName })}
            problem={problems['pieceName']}
            help={pieces.length === 0 ? t('oauthApps.noService') : undefined}
            options={pieces.map((piece) => ({ value: piece.name, label: piece.displayName }))}
          />
          {app.pieceName === '' ? null : <SetupGuide pieceName={app.pieceName} />}
          <TextField
            label={t('oauthApps.clientId')}
            help={app.pieceName === '' ? t('oauthApps.redirect', { url: redirectUrlOf(flags) }) : undefined}
            value={app.clientId}
            onValue={(clientId) => setApp({ ...app, clientId })}
            problem={problems['clientId']}
            control={{ name: 'clientId', spellcheck: false, autocomplete: 'off' }}
          />
          <TextField
            label={t('oauthApps.clientSecret')}
            value={app.clientSecret}
            onValue={(clientSecret) => setApp({ ...app, clientSecret })}
            problem={problems['clientSecret']}
            control={{ name: 'clientSecret', type: 'password', autocomplete: 'off' }}
          />
        </>
      )}
    </FormDialog>
  );
}

/** A piece may offer several kinds of authentication. */
const asksOAuth = (auth: unknown): boolean =>
  Array.isArray(auth) && auth.some((each: { type?: string }) => each?.type === 'OAUTH2');
