"""How every form of the site is drawn."""

from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Draws forms and fields from ``templates/forms/``, so that all of them look the same."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
