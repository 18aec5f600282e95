import type { Failure } from '../../base/api/failure';
import { Switch } from '../../base/components/Field';
import { Panel } from '../../base/components/Panel';
import { Badge } from '../../base/components/States';
import { complain } from '../../base/components/Toasts';
import { reloadFlags, session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { waysOf } from '../../start/ways';
import type { Platform } from '../usePlatform';
import { googleState } from './state';

export interface Props {
  platform: Platform;
  change: (changes: Record<string, unknown>) => Promise<Failure | undefined>;
}

/** Google also needs two settings of the server, which the API cannot change. */
export function Ways({ platform, change }: Props) {
  const flags = useStore(session, (now) => (now.state === 'in' ? now.flags : {}));
  const ways = waysOf(flags);
  const turn = async (changes: Record<string, unknown>): Promise<void> => {
    const failure = await change(changes);
    if (failure) {
      complain(failure);
    }
    await reloadFlags();
  };
  const google = googleState(platform.googleAuthEnabled, ways.providers.includes('google'));
  return (
    <Panel title={t('signOn.ways')} text={t('signOn.waysText')}>
      <div>
        <div class="setting">
          <div>
            <strong>{t('signOn.email')}</strong>
            <span class="faint">{t(ways.codes ? 'signOn.emailCodes' : 'signOn.emailText')}</span>
          </div>
          <Switch
            on={platform.emailAuthEnabled}
            label={t('signOn.email')}
            onChange={(on) => void turn({ emailAuthEnabled: on })}
          />
        </div>
        <div class="setting">
          <div>
            <strong>{t('signOn.google')}</strong>
            <span class="faint">{t(`signOn.google.${google}`)}</span>
          </div>
          {google === 'shown' ? (
            <Badge tone="green" icon="circle-check">
              {t('signOn.offered')}
            </Badge>
          ) : google === 'unset' ? (
            <Badge tone="amber" icon="triangle-alert">
              {t('signOn.unset')}
            </Badge>
          ) : null}
          <Switch
            on={platform.googleAuthEnabled}
            label={t('signOn.google')}
            onChange={(on) => void turn({ googleAuthEnabled: on })}
          />
        </div>
      </div>
    </Panel>
  );
}
