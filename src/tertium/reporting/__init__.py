"""From an evaluation to what people read: tables, pictures, pages."""
