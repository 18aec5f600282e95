import { Switch } from '../../base/components/Field';
import { Panel } from '../../base/components/Panel';
import { complain } from '../../base/components/Toasts';
import { t } from '../../base/text';
import { TextList } from '../TextList';
import { domainOf, isDomain } from './state';
import type { Props } from './Ways';

/** Domains whose e-mail addresses may sign up. */
export function Domains({ platform, change }: Props) {
  const save = async (changes: Record<string, unknown>): Promise<boolean> => {
    const failure = await change(changes);
    if (failure) {
      complain(failure);
    }
    return !failure;
  };
  const read = (typed: string): string | undefined => (isDomain(domainOf(typed)) ? domainOf(typed) : undefined);
  return (
    <Panel title={t('signOn.domains')} text={t('signOn.domainsText')}>
      <div class="setting">
        <div>
          <strong>{t('signOn.enforce')}</strong>
          <span class="faint">{t('signOn.enforceText')}</span>
        </div>
        <Switch
          on={platform.enforceAllowedAuthDomains}
          label={t('signOn.enforce')}
          disabled={platform.allowedAuthDomains.length === 0 && !platform.enforceAllowedAuthDomains}
          onChange={(on) => void save({ enforceAllowedAuthDomains: on })}
        />
      </div>
      <TextList
        label={t('signOn.domain')}
        help={t('signOn.domainHelp')}
        placeholder="acme.example"
        items={platform.allowedAuthDomains}
        read={read}
        problem={t('signOn.badDomain')}
        onItems={(allowedAuthDomains) => save({ allowedAuthDomains })}
      />
    </Panel>
  );
}
