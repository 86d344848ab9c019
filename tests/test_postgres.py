from sqlalchemy import create_engine, text


def test_answers_on_loopback(postgres_url):
    engine = create_engine(postgres_url)
    with engine.connect() as connection:
        version = connection.execute(text("select version()")).scalar_one()
    engine.dispose()
    assert version.startswith("PostgreSQL")
