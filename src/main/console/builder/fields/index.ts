import type { ComponentType } from 'preact';
import type { PropertyType } from '../properties';
import { ArrayField } from './ArrayField';
import { CheckboxField } from './CheckboxField';
import { ChoiceField } from './ChoiceField';
import { ColorField } from './ColorField';
import { DateField } from './DateField';
import { DynamicField } from './DynamicField';
import { JsonField } from './JsonField';
import { LongTextField, ShortTextField } from './TextFields';
import { MarkdownField } from './MarkdownField';
import { MultiChoiceField } from './MultiChoiceField';
import { ObjectField } from './ObjectField';
import type { GroupProps } from './scope';

export const fields: Record<PropertyType, ComponentType<GroupProps>> = {
  SHORT_TEXT: ShortTextField,
  SECRET_TEXT: ShortTextField,
  NUMBER: ShortTextField,
  FILE: ShortTextField,
  LONG_TEXT: LongTextField,
  DATE_TIME: DateField,
  COLOR: ColorField,
  CHECKBOX: CheckboxField,
  STATIC_DROPDOWN: ChoiceField,
  DROPDOWN: ChoiceField,
  STATIC_MULTI_SELECT_DROPDOWN: MultiChoiceField,
  MULTI_SELECT_DROPDOWN: MultiChoiceField,
  OBJECT: ObjectField,
  ARRAY: ArrayField,
  JSON: JsonField,
  CUSTOM: JsonField,
  DYNAMIC: DynamicField,
  MARKDOWN: MarkdownField,
  // AuthField handles the connection of a piece; as one property among others it is edited as a plain value.
  OAUTH2: JsonField,
  BASIC_AUTH: JsonField,
  CUSTOM_AUTH: JsonField,
  OIDC: JsonField,
};
